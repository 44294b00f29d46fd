-- A failure that the provider keeps under a key ends that key. Once the provider's own list proves that nothing happened, the
-- action goes on under its next one.
alter table money_actions add column keys_used integer not null default 1 check (keys_used > 0);
