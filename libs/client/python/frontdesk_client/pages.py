"""Lists, over all of their pages."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import ParamSpec, Protocol, TypeVar

from .models.problem_details import ProblemDetails
from .types import Unset

Item = TypeVar("Item", covariant=True)
Arguments = ParamSpec("Arguments")


class Page(Protocol[Item]):
    """A page of a list."""

    @property
    def items(self) -> Sequence[Item]: ...

    @property
    def next_page_token(self) -> str | Unset: ...


class FrontdeskProblem(Exception):
    """A page was refused."""

    def __init__(self, problem: ProblemDetails | None) -> None:
        super().__init__("no answer of Frontdesk" if problem is None else f"{problem.status} {problem.code}: {problem.title}")
        self.problem = problem
        """The problem document; None if a server other than Frontdesk has answered."""


def items_of(
    operation: Callable[Arguments, "Page[Item] | ProblemDetails | None"],
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> Iterator[Item]:
    """Yields the items of all pages of a list.

    `operation` is the `sync` of the list, and is followed by its arguments: `items_of(list_sites.sync, client=frontdesk)`.
    Each page is requested when you have used up the one before.

    Raises FrontdeskProblem.
    """
    while True:
        page = _known(operation(*args, **kwargs))
        yield from page.items
        if not isinstance(page.next_page_token, str):
            return
        kwargs["next_page_token"] = page.next_page_token


async def async_items_of(
    operation: Callable[Arguments, "Awaitable[Page[Item] | ProblemDetails | None]"],
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> AsyncIterator[Item]:
    """The async twin of `items_of`: `operation` is the `asyncio` of the list."""
    while True:
        page = _known(await operation(*args, **kwargs))
        for item in page.items:
            yield item
        if not isinstance(page.next_page_token, str):
            return
        kwargs["next_page_token"] = page.next_page_token


def _known(answer: "Page[Item] | ProblemDetails | None") -> "Page[Item]":
    if answer is None or isinstance(answer, ProblemDetails):
        raise FrontdeskProblem(answer)
    return answer
