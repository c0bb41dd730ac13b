"""What all tests share: a cache of their own, so that none reads or writes the user's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLAUSEWISE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
