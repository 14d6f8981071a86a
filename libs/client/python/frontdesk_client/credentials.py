"""Access to the API by client credentials, or by an API key of a site."""

import threading
import time
from collections.abc import Generator
from urllib.parse import quote

import httpx

from .client import AuthenticatedClient

# A token must still be valid when the request arrives.
SPARE_SECONDS = 30


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


def connect(base_url: str, client_id: str, client_secret: str) -> AuthenticatedClient:
    """Returns a client for all operations that your client has the scopes for.

    Its requests raise httpx.HTTPStatusError if the credentials are refused.
    """
    auth = ClientCredentials(base_url, client_id, client_secret)
    return AuthenticatedClient(base_url=base_url, token="", httpx_args={"auth": auth})


def connect_with_site_key(base_url: str, site_key: str) -> AuthenticatedClient:
    """Returns a client for the operations of one site, by one of its API keys."""
    return AuthenticatedClient(base_url=base_url, token=site_key, prefix="", auth_header_name="X-Site-Api-Key")
