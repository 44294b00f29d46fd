-- Whose an Idempotency-Key is: the first caller's. What became of the request is kept by the feature that it went to.
create table idempotency_keys (
  key text primary key,
  caller text not null,
  used_at timestamptz not null
);
