-- The same rounding, in a form that PostgreSQL writes into the query around it: called by name it takes six times as long.
create or replace function round_half_even(value numeric) returns bigint language sql immutable parallel safe as $$
  select case when abs(mod(round(value, 9), 2)) = 0.5 then trunc(round(value, 9)) else round(round(value, 9)) end::bigint
$$;

create or replace function sql_views.round_half_even(value numeric) returns bigint language sql immutable parallel safe as $$
  select case when abs(mod(round(value, 9), 2)) = 0.5 then trunc(round(value, 9)) else round(round(value, 9)) end::bigint
$$;
