from __future__ import annotations

import pytest

from clausewise.askers.template import TemplateAsker
from clausewise.trees.values import Span
from clausewise.types import RuleText


def ask(marked: str) -> str:
    """Ask about the words in brackets."""
    start, end = marked.index("["), marked.index("]") - 1
    rule = RuleText(rule_id="r", text=marked.replace("[", "").replace("]", ""))
    return TemplateAsker().ask(Span(start=start, end=end), rule=rule)


CASES = {
    "[you live in the council's area]": "Do you live in the council's area?",
    "[are 16 or over]": "Are you 16 or over?",
    "[your child is under 5]": "Is your child under 5?",
    "[having a disability]": "Do you have a disability?",
    "[the claim was made within 3 months]": "Was the claim made within 3 months?",
    "[live abroad]": "Do you live abroad?",
    "[on a low income]": "Are you on a low income?",
    "[caring for a child]": "Are you caring for a child?",
    "[a resident]": "Are you a resident?",
    "[applicants who own a boat]": "Do you own a boat?",
    "[must be 18 or over]": "Are you 18 or over?",
    "[applicants who are pregnant]": "Are you pregnant?",
    "You must have:\n\n* [a UK bank account]": "Do you have a UK bank account?",
    "[you do not own a home]": "Is it true that you do not own a home?",
    "[you're registered with a doctor]": "Are you registered with a doctor?",
    "[you've lived here for 3 years]": "Have you lived here for 3 years?",
    "[they are over 65]": "Are you over 65?",
    "[the applicant has paid his or her fee]": "Have you paid your fee?",
    "[the claimant lives with their parents]": "Do you live with your parents?",
    "[your employer pays your contributions]": "Does your employer pay your contributions?",
    "[your circumstances change]": "Do your circumstances change?",
    "[you can't work]": "Is it true that you cannot work?",
    "[you never smoked]": "Is it true that you never smoked?",
    "[your landlord has agreed in writing]": "Has your landlord agreed in writing?",
    "[you will move within a year]": "Will you move within a year?",
    "You can apply if you live in:\n* [Harbour Ward]": "Do you live in Harbour Ward?",
    "You can apply if you're:\n* [pregnant]": "Are you pregnant?",
    "You qualify if the property was:\n* [your home]": "Was the property your home?",
    "You qualify if you:\n* [worked for the firm for a year]": (
        "Did you work for the firm for a year?"
    ),
    "You must:\n* [be 18 or over]": "Are you 18 or over?",
    "You must:\n* [apply in writing]": "Have you applied in writing?",
    "You must have:\n* [lived here for two years]": "Have you lived here for two years?",
    "[the member has seriously damaged a boat]": "Have you seriously damaged a boat?",
    "You must be at least 16 and [have an adult card].": "Do you have an adult card?",
    "[all of it comes from sales]": "Is it true that all of it comes from sales?",
    "[your sponsor certifies your savings]": "Does your sponsor certify your savings?",
    "[full members aged 16 or older]": ("Are you one of these: full members aged 16 or older?"),
    "[your employer has no office here]": "Is it true that your employer has no office here?",
    "[the signature of a parent]": "Is it the signature of a parent?",
    "[with a disability]": "Do you have a disability?",
    "[without a licence]": "Is it true that you do not have a licence?",
    "[aged 16 to 24]": "Are you aged 16 to 24?",
    "[16 or over]": "Are you 16 or over?",
    "[registered as self-employed]": "Are you registered as self-employed?",
    "[has a driving licence]": "Do you have a driving licence?",
    "[owns a car]": "Do you own a car?",
    "[not in full-time education]": "Is it true that you are not in full-time education?",
    "[no longer employed]": "Is it true that you are no longer employed?",
    "[in receipt of a pension]": "Are you in receipt of a pension?",
    "[people with a disability]": "Do you have a disability?",
    "[anyone who's moved house]": "Have you moved house?",
    "[anyone who has not paid]": "Is it true that you have not paid?",
    "Open to staff who [work at least 20 hours a week]": "Do you work at least 20 hours a week?",
    "[the bicycle must have working brakes]": "Does the bicycle have working brakes?",
    "[you must not be a student]": "Is it true that you are not a student?",
    "[you need to be a member]": "Are you a member?",
    "[you have at least 2 children]": "Do you have at least 2 children?",
    "[you currently rent from us]": "Do you currently rent from us?",
    "[both parents agree]": "Do both parents agree?",
    "[company directors]": "Are you one of these: company directors?",
    "[after 25 years]": "Is it after 25 years?",
    "[there is a fire]": "Is there a fire?",
    "[at least one of your parents is a citizen]": "Is at least one of your parents a citizen?",
    "[it is dark]": "Is it dark?",
    "[you got a letter]": "Did you get a letter?",
    "[you were born before 1953]": "Were you born before 1953?",
    "[you sold the house]": "Did you sell the house?",
    "[I have a cat]": "Do you have a cat?",
    "[can drive]": "Can you drive?",
    "[do not smoke]": "Is it true that you do not smoke?",
    "[don't have a car]": "Is it true that you do not have a car?",
    "[if you are ill,]": "Are you ill?",
    "You have [a severe illness] that is x": "Do you have a severe illness?",
    "[you are neither a student nor an apprentice]": (
        "Is it true that you are neither a student nor an apprentice?"
    ),
    "[your flat has been empty for a month]": "Has your flat been empty for a month?",
    "[the event takes place outdoors]": "Does the event take place outdoors?",
    "[the car was first registered after 2015]": "Was the car first registered after 2015?",
    "[you and your partner own a boat]": "Do you and your partner own a boat?",
    "[there are at least 3 bedrooms]": "Are there at least 3 bedrooms?",
    "[your children go to school in the town]": "Do your children go to school in the town?",
    "[it has been raining]": "Has it been raining?",
    "[a carer]": "Are you a carer?",
    "[a recognised course]": "Is it a recognised course?",
    "[self-employed people]": "Are you self-employed?",
    "[members of the rowing club]": "Are you one of these: members of the rowing club?",
    "[the employee has worked for 26 weeks]": "Have you worked for 26 weeks?",
    "[every tenant must sign]": "Have you signed?",
    "[you must have passed the test]": "Have you passed the test?",
    "[you did not ask for help]": "Is it true that you did not ask for help?",
    "[she has finished her training]": "Have you finished your training?",
    "[he lives with his mother]": "Do you live with your mother?",
    "[I'm over 60]": "Are you over 60?",
    "[your doctor agrees that you are unfit]": "Does your doctor agree that you are unfit?",
    "You may enter if your bag is:\n\n- [smaller than a shoebox]": (
        "Is your bag smaller than a shoebox?"
    ),
    "You need [two references] to join.": "Do you have two references?",
    "You must not [have been convicted of theft].": (
        "Is it true that you have not been convicted of theft?"
    ),
    "We lend to anyone who:\n* [has lost a key]\n* x": "Have you lost a key?",
    "The permit is yours unless you [have moved away].": "Have you moved away?",
    "[in full-time work]": "Are you in full-time work?",
    "[studying for a degree]": "Are you studying for a degree?",
    "[during the holidays]": "Is it during the holidays?",
    "[no one else lives with you]": "Is it true that no one else lives with you?",
    "[nobody has complained]": "Is it true that nobody has complained?",
    "[you would be 18 by then]": "Would you be 18 by then?",
    "[your income is £9,000 or less]": "Is your income £9,000 or less?",
    "[has no savings]": "Do you have no savings?",
    "[less than 3 years old]": "Are you less than 3 years old?",
}


@pytest.mark.parametrize(("marked", "question"), CASES.items())
def test_a_condition_becomes_a_grammatical_question(marked: str, question: str) -> None:
    assert ask(marked) == question


def test_words_that_no_form_fits_are_quoted() -> None:
    words = "a list of names which nobody could ever turn into a question of one short line at all"
    assert ask(f"[Such as {words}]") == f"Does this apply to you: Such as {words}?"


def test_a_span_without_words_still_gets_a_question() -> None:
    assert ask("[—]") == "Does this apply to you?"


def test_what_somebody_else_did_is_asked_with_its_own_verb() -> None:
    text = "You can't join if another rowing club has suspended you."
    start = text.index("another")
    span = Span(start=start, end=len(text) - 1)
    question = TemplateAsker().ask(span, rule=RuleText(rule_id="club", text=text))
    assert question == "Has another rowing club suspended you?"
