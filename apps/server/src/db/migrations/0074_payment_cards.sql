-- A card as charges and intents describe it; null for what is none.
create function card_facts(card jsonb) returns json language sql stable parallel safe as $$
  select case when jsonb_typeof(card) = 'object' then json_build_object(
    'brand', card ->> 'brand',
    'last4', card ->> 'last4',
    'exp_month', case when card ->> 'exp_month' ~ '^([1-9]|1[0-2])$' then (card ->> 'exp_month')::int end,
    'exp_year', case when card ->> 'exp_year' ~ '^[0-9]{4}$' then (card ->> 'exp_year')::int end
  ) end
$$;
