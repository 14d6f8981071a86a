"""Calls a server that is often busy, through the packed client. Prints what it gets as one JSON object."""

import asyncio
import json
import sys

import httpx
from frontdesk_client.api.sites import list_sites
from frontdesk_client.api.webhooks import send_test_event
from frontdesk_client.credentials import connect
from frontdesk_client.models import AcceptedDelivery, ProblemDetails
from frontdesk_client.pages import FrontdeskProblem, async_items_of, items_of
from frontdesk_client.retries import Retries

url = sys.argv[1]


def said(answer: object) -> object:
    if isinstance(answer, AcceptedDelivery):
        return "accepted"
    return answer.code if isinstance(answer, ProblemDetails) else repr(answer)


async def sent_asynchronously() -> object:
    async with connect(url, "demo", "s3:cret") as other:
        return said(await send_test_event.asyncio("sAbc", client=other))


async def listed_asynchronously() -> list[str]:
    # Its own client: connections belong to one event loop.
    other = patient.with_headers({})
    return [site.site_slug async for site in async_items_of(list_sites.asyncio, client=other, page_size=1)]


patient = connect(url, "demo", "s3:cret")
got = [
    said(send_test_event.sync("sAbc", client=patient)),
    said(send_test_event.sync("sAbc", client=patient)),
    said(send_test_event.sync("sAbc", client=patient, idempotency_key="order-4711")),
    asyncio.run(sent_asynchronously()),
    said(send_test_event.sync("sAbc", client=patient)),
    said(send_test_event.sync("sAbc", client=patient)),
]
hasty = connect(url, "demo", "s3:cret", retries=Retries(attempts=2))
got.append(said(send_test_event.sync("sAbc", client=hasty)))
try:
    send_test_event.sync("sAbc", client=hasty)
except httpx.TransportError:
    got.append("no answer")

listed = [site.site_slug for site in items_of(list_sites.sync, client=patient, page_size=1)]
async_listed = asyncio.run(listed_asynchronously())
refused: list[str] = []
try:
    for site in items_of(list_sites.sync, client=patient, page_size=1):
        refused.append(site.site_slug)
except FrontdeskProblem as problem:
    refused.append(str(problem))
print(json.dumps({"got": got, "listed": listed, "async_listed": async_listed, "refused": refused}))
