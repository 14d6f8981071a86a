"""Retries of temporary failures, by the rules of the TypeScript client."""

import asyncio
import random
import time
import uuid
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

TEMPORARY = frozenset({429, 502, 503, 504})
# The request itself is at fault, not the way to the server.
PERMANENT = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)


@dataclass(frozen=True)
class Retries:
    """How often a call is tried.

    Lost connections, time-outs, 429, 502, 503, 504 and `idempotency_key_in_use` are tried again.
    """

    attempts: int = 4
    """In all."""
    longest_wait: float = 20.0
    """Seconds between two tries. A longer `Retry-After` ends the call at once."""

    def wait(self, attempt: int, outcome: httpx.Response | Exception) -> float | None:
        """Returns the seconds until the next try; None if this outcome is the last one."""
        if attempt >= self.attempts:
            return None
        return _wait_after(attempt, outcome, self.longest_wait)


def _wait_after(attempt: int, outcome: httpx.Response | Exception, longest: float) -> float | None:
    if isinstance(outcome, httpx.HTTPStatusError):
        outcome = outcome.response
    if isinstance(outcome, httpx.Response):
        if outcome.status_code not in TEMPORARY and _code(outcome) != "idempotency_key_in_use":
            return None
        named = _retry_after(outcome.headers.get("Retry-After", ""))
        if named is not None:
            # A little later, so that clients do not return all at once.
            return None if named > longest else named + random.uniform(0, 0.2)
    elif isinstance(outcome, PERMANENT):
        return None
    return random.uniform(0, min(longest, 0.25 * 2**attempt))


def _code(response: httpx.Response) -> object:
    if response.status_code != 409:
        return None
    try:
        body = response.json()
    except (ValueError, httpx.ResponseNotRead):
        return None
    return body.get("code") if isinstance(body, dict) else None


def _retry_after(header: str) -> float | None:
    """Reads `Retry-After`: a number of seconds or, from some proxies, a date."""
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return None
    # A date without a zone is in UTC (RFC 5322 section 3.3).
    at = at if at.tzinfo is not None else at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())


def _keep_one_key(request: httpx.Request) -> None:
    """All tries of a POST have one Idempotency-Key, so its effect happens once. A key of the caller stays."""
    if request.method == "POST":
        request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))


class RetryingClient(httpx.Client):
    """Sends a request again while its failure is temporary."""

    def __init__(self, retries: Retries, **settings: Any) -> None:
        super().__init__(**settings)
        self._retries = retries

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        _keep_one_key(request)
        attempt = 0
        while True:
            attempt += 1
            try:
                response = super().send(request, **options)
                seconds = self._retries.wait(attempt, response)
                if seconds is None:
                    return response
            except (httpx.TransportError, httpx.HTTPStatusError) as error:
                seconds = self._retries.wait(attempt, error)
                if seconds is None:
                    raise
            time.sleep(seconds)


class AsyncRetryingClient(httpx.AsyncClient):
    """The async twin of RetryingClient."""

    def __init__(self, retries: Retries, **settings: Any) -> None:
        super().__init__(**settings)
        self._retries = retries

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        _keep_one_key(request)
        attempt = 0
        while True:
            attempt += 1
            try:
                response = await super().send(request, **options)
                seconds = self._retries.wait(attempt, response)
                if seconds is None:
                    return response
            except (httpx.TransportError, httpx.HTTPStatusError) as error:
                seconds = self._retries.wait(attempt, error)
                if seconds is None:
                    raise
            await asyncio.sleep(seconds)
