"""Verification of webhooks: Standard Webhooks 1.0."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TOLERANCE_SECONDS = 5 * 60


class WebhookVerificationError(Exception):
    """The signature is missing, wrong or too old. Answer 400 and do not use the body."""


@dataclass(frozen=True)
class VerifiedWebhook:
    """A webhook whose signature is right."""

    id: str
    """The same for every attempt: store it, and ignore a webhook whose id you have seen."""
    event: dict[str, Any]
    """The CloudEvent. Its `type` tells what `data` has."""


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str) -> VerifiedWebhook:
    """Checks the signature of a webhook, with 5 minutes of tolerance, and returns its event.

    `body` is the body exactly as you received it. `secret` is the signing secret of your subscription (`whsec_...`), or its
    public key (`whpk_...`) if it is asymmetric: then `cryptography` must be installed.

    Raises WebhookVerificationError.
    """
    given = {name.lower(): value for name, value in headers.items()}
    webhook_id = given.get("webhook-id", "")
    timestamp = given.get("webhook-timestamp", "")
    content = body.encode() if isinstance(body, str) else body
    if webhook_id == "" or not (timestamp.isascii() and timestamp.isdigit()):
        raise WebhookVerificationError("a header of the signature is missing")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookVerificationError("the timestamp is too far off")
    signed = f"{webhook_id}.{timestamp}.".encode() + content
    try:
        if not _matches(signed, given.get("webhook-signature", ""), secret):
            raise WebhookVerificationError("no signature matches")
        return VerifiedWebhook(webhook_id, json.loads(content))
    except ValueError as error:
        raise WebhookVerificationError(str(error)) from error


def _matches(signed: bytes, signatures: str, secret: str) -> bool:
    given = [part.partition(",")[::2] for part in signatures.split(" ")]
    if secret.startswith("whpk_"):
        return any(_is_ed25519(signed, value, secret) for version, value in given if version == "v1a")
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    expected = hmac.digest(key, signed, hashlib.sha256)
    return any(
        hmac.compare_digest(expected, base64.b64decode(value, validate=True))
        for version, value in given
        if version == "v1"
    )


def _is_ed25519(signed: bytes, signature: str, public_key: str) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key.removeprefix("whpk_"), validate=True))
    try:
        key.verify(base64.b64decode(signature, validate=True), signed)
        return True
    except InvalidSignature:
        return False
