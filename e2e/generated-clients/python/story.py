"""The demo's story, told by a client that openapi-python-client has generated from /openapi.json.

Each line that it prints is a JSON object. A `step` of "onboard" or "pay" asks whoever runs it to do what a person does at the
provider.
"""

import json
import os
import time
import uuid
from collections.abc import Callable

import httpx
from frontdesk_client import AuthenticatedClient
from frontdesk_client.api.payment_provider_accounts import create_account, get_account
from frontdesk_client.api.payments import create_payment, get_payment, list_payments
from frontdesk_client.api.sites import create_site
from frontdesk_client.api.webhooks import publish_events, subscribe
from frontdesk_client.models import (
    AccountCreation,
    AccountOnboarding,
    Country,
    CreatedSubscription,
    Currency,
    PaymentCreation,
    PaymentLineItem,
    PaymentList,
    PaymentProvider,
    PaymentProviderAccount,
    PaymentRecord,
    PaymentStatus,
    ProblemDetails,
    PublishedEvent,
    SiteCreation,
    SiteWithKeys,
    StreetAddress,
    SubscriptionCreation,
    WebhookHeader,
)


def tell(**line: object) -> None:
    print(json.dumps(line), flush=True)


def until(is_reached: Callable[[], bool]) -> None:
    """Asks again until the answer is yes, for a minute."""
    deadline = time.monotonic() + 60
    while not is_reached():
        if time.monotonic() > deadline:
            raise TimeoutError("it has not happened within a minute")
        time.sleep(0.2)


def main() -> None:
    base = os.environ["BASE_URL"]
    credentials = {"client_id": os.environ["CLIENT_ID"], "client_secret": os.environ["CLIENT_SECRET"]}
    reply = httpx.post(f"{base}/oauth2/token", data={"grant_type": "client_credentials", **credentials})
    with AuthenticatedClient(base_url=base, token=reply.json()["access_token"], timeout=httpx.Timeout(30.0)) as api:
        story(api)


def story(api: AuthenticatedClient) -> None:
    made = create_site.sync(
        client=api,
        body=SiteCreation(
            name="Harbour Street Dental", address=StreetAddress(country=Country.GB), currency=Currency.GBP
        ),
        idempotency_key=str(uuid.uuid4()),
    )
    assert isinstance(made, SiteWithKeys), made
    site = made.identity.site_slug

    opened = create_account.sync(site, client=api, body=AccountCreation(payment_provider=PaymentProvider.SANDBOX))
    assert isinstance(opened, AccountOnboarding), opened
    account_id = opened.account.account_id
    tell(step="onboard", account=opened.account.external_account_id)

    def is_active() -> bool:
        account = get_account.sync(site, account_id, client=api)
        assert isinstance(account, PaymentProviderAccount), account
        return account.status == "Active"

    until(is_active)

    subscription = SubscriptionCreation(
        event_types=["payment.*"], url=os.environ["RECEIVER_URL"], headers=[WebhookHeader(name="X-Key", value="k")]
    )
    subscribed = subscribe.sync(site, client=api, body=subscription)
    assert isinstance(subscribed, CreatedSubscription), subscribed

    # Errors are as typed as successes.
    order = PaymentCreation(payment_provider=PaymentProvider.SANDBOX, currency=Currency.GBP)
    refused = create_payment.sync(site, client=api, body=order)
    assert isinstance(refused, ProblemDetails), refused
    tell(step="refused", code=refused.code)

    order.line_items = [PaymentLineItem(product_name="Check-up", price=4500)]
    created = create_payment.sync(site, client=api, body=order, idempotency_key=str(uuid.uuid4()))
    assert isinstance(created, PaymentRecord), created
    record_id = created.record_id
    tell(step="pay", payment=created.payment_id)

    def paid() -> PaymentRecord:
        payment = get_payment.sync(site, record_id, client=api)
        assert isinstance(payment, PaymentRecord), payment
        return payment

    until(lambda: paid().status == "Completed")

    # Filters may be left out, or given.
    for found in (
        list_payments.sync(site, client=api),
        list_payments.sync(site, client=api, status=[PaymentStatus.COMPLETED]),
    ):
        assert isinstance(found, PaymentList) and len(found.items) == 1, found

    # This client may not publish; what counts is that one event and a batch can be sent.
    event = PublishedEvent(type_="com.example.booked", specversion="1.0", id="1", source="https://pms.example/")
    for body in (event, [event]):
        answer = publish_events.sync(site, client=api, body=body)
        assert isinstance(answer, ProblemDetails), answer

    payment = paid()
    tell(
        step="done",
        site=site,
        record=str(record_id),
        amount=payment.paid_amount,
        statuses=len(payment.history),
        secret=subscribed.signing_secret,
    )


if __name__ == "__main__":
    main()
