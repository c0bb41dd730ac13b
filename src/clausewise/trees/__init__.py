"""Rule trees: format, three-valued logic, planning of questions, explanation and what-if."""
