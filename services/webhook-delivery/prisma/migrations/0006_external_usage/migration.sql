-- What each client has published on each day (UTC): its share of the stream of external events.
create table external_usage (
  client text not null,
  day date not null,
  events bigint not null,
  bytes bigint not null,
  primary key (client, day)
);
