"""Access to the API by client credentials, or by an API key of a site."""

import threading
import time
from collections.abc import Generator
from typing import Any
from urllib.parse import quote

import httpx
from attrs import define, field

from .client import AuthenticatedClient
from .retries import AsyncRetryingClient, Retries, RetryingClient

# A token must still be valid when the request arrives.
SPARE_SECONDS = 30
# Longer than any operation's own deadline.
TIMEOUT_SECONDS = 32.0


class ClientCredentials(httpx.Auth):
    """Sends an access token with each request: RFC 6749 section 4.4. It keeps each token until 30 s before it expires."""

    requires_response_body = True

    def __init__(self, base_url: str, client_id: str, client_secret: str) -> None:
        self._url = f"{base_url.rstrip('/')}/oauth2/token"
        # RFC 6749 section 2.3.1: both parts are form-encoded before they are joined.
        self._login = httpx.BasicAuth(quote(client_id, safe=""), quote(client_secret, safe=""))
        self._token: str | None = None
        self._until = 0.0
        self._lock = threading.Lock()

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        token = self._current()
        if token is None:
            token = self._keep((yield self._ask()))
        request.headers["Authorization"] = f"Bearer {token}"
        response = yield request
        if response.status_code == 401:
            # Refused: it expired early, or its key was rotated. The request is sent once more.
            request.headers["Authorization"] = f"Bearer {self._keep((yield self._ask()))}"
            yield request

    def _current(self) -> str | None:
        with self._lock:
            return self._token if time.monotonic() < self._until else None

    def _ask(self) -> httpx.Request:
        login = httpx.Request("POST", self._url, data={"grant_type": "client_credentials"})
        return next(self._login.auth_flow(login))

    def _keep(self, answer: httpx.Response) -> str:
        answer.raise_for_status()
        issued = answer.json()
        with self._lock:
            self._token = str(issued["access_token"])
            self._until = time.monotonic() + issued["expires_in"] - SPARE_SECONDS
            return self._token


@define
class FrontdeskClient(AuthenticatedClient):
    """A client that all operations take. It sends a request again while its failure is temporary."""

    retries: Retries = field(factory=Retries, kw_only=True)

    def get_httpx_client(self) -> httpx.Client:
        if self._client is None:
            self._client = RetryingClient(self.retries, **self._settings())
        return self._client

    def get_async_httpx_client(self) -> httpx.AsyncClient:
        if self._async_client is None:
            self._async_client = AsyncRetryingClient(self.retries, **self._settings())
        return self._async_client

    def _settings(self) -> dict[str, Any]:
        # ClientCredentials replaces the empty token.
        token = f"{self.prefix} {self.token}" if self.prefix else self.token
        return {
            "base_url": self._base_url,
            "cookies": self._cookies,
            "headers": {**self._headers, self.auth_header_name: token},
            "timeout": self._timeout,
            "verify": self._verify_ssl,
            "follow_redirects": self._follow_redirects,
            **self._httpx_args,
        }


def connect(
    base_url: str,
    client_id: str,
    client_secret: str,
    *,
    retries: Retries = Retries(),
    timeout: float = TIMEOUT_SECONDS,
) -> FrontdeskClient:
    """Returns a client for all operations that your client has the scopes for.

    `timeout` is that of each try, in seconds. A call raises httpx.TransportError if there is no answer after all tries, and
    httpx.HTTPStatusError if the credentials are refused.
    """
    auth = ClientCredentials(base_url, client_id, client_secret)
    return FrontdeskClient(
        base_url=base_url, token="", httpx_args={"auth": auth}, timeout=httpx.Timeout(timeout), retries=retries
    )


def connect_with_site_key(
    base_url: str,
    site_key: str,
    *,
    retries: Retries = Retries(),
    timeout: float = TIMEOUT_SECONDS,
) -> FrontdeskClient:
    """Returns a client for the operations of one site, by one of its API keys."""
    return FrontdeskClient(
        base_url=base_url,
        token=site_key,
        prefix="",
        auth_header_name="X-Site-Api-Key",
        timeout=httpx.Timeout(timeout),
        retries=retries,
    )
