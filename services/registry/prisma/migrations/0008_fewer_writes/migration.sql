-- Nobody reads it since outbox_pending_by_stream: it cost an entry for each event.
drop index outbox_pending;

-- Room for the reply on the page of the claim: then the reply changes no index. A reply is several times as long as a claim.
alter table idempotency_keys set (fillfactor = 10);
