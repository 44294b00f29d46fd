-- As formatMoney has it on the web: where the provider's minor unit is not a hundredth.
create function currency_digits(currency text) returns integer language sql immutable as $$
  select case
    when currency in ('bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga', 'pyg', 'rwf', 'vnd', 'vuv', 'xaf', 'xof',
      'xpf') then 0
    when currency in ('bhd', 'jod', 'kwd', 'omr', 'tnd') then 3
    else 2
  end
$$;

-- What a plan's product says in its metadata; null where that is no number above zero.
create function plan_limit(product jsonb, name text) returns numeric language sql immutable as $$
  select case when product -> 'metadata' ->> name ~ '^\d{1,9}(\.\d{1,3})?$'
    then nullif((product -> 'metadata' ->> name)::numeric, 0) end
$$;

create index deployments_completed on deployments (completed_at) where completed_at is not null;
