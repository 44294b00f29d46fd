-- Codes by which customers redeem coupons.
create table promotion_codes (
  id text primary key,
  coupon_id text,
  code text not null,
  active boolean not null,
  -- The only one who may use it; null: everybody.
  customer_id text,
  expires_at timestamptz,
  max_redemptions bigint,
  times_redeemed bigint,
  first_time_only boolean not null,
  minimum_amount bigint,
  minimum_currency text,
  created_at timestamptz not null,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz,
  first_seq bigint
);
create index promotion_codes_coupon on promotion_codes (coupon_id, created_at desc, id desc);
create trigger promotion_codes_tell after insert or update or delete on promotion_codes
  for each statement execute function tell_change('plans');

create view sql_views.promotion_codes as
  select id, coupon_id, code, active, customer_id, expires_at, max_redemptions, times_redeemed, first_time_only, minimum_amount,
    minimum_currency, created_at, deleted_at
  from promotion_codes;
comment on view sql_views.promotion_codes is 'Promotion codes of Stripe: what customers type to redeem a coupon';
comment on column sql_views.promotion_codes.customer_id is 'The only customer who may use it; empty for everybody';
comment on column sql_views.promotion_codes.minimum_amount is 'Minor units of minimum_currency';
