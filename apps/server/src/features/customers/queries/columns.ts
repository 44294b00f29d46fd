// Aliases: c customers, t customer_totals; home answers the account's default currency.

export const home = '(select default_currency() as currency) home'

/** Every other currency of which something came in, from `{ "eur": 1200 }`. */
const otherMoney = `(
  select json_agg(json_build_object('amount', value::bigint, 'currency', key) order by key) from jsonb_each_text(t.other_revenue)
)`

export const customerColumns = `c.id, c.name, c.email, c.phone, c.status, iso_utc(c.created_at) as created_at, c.site_count,
  json_build_object('company', c.company) as metadata, c.account_type, c.subscription_id, c.country,
  coalesce(t.total_revenue, 0) as total_revenue, home.currency,
  case when t.other_revenue is null
    then json_build_array(json_build_object('amount', coalesce(t.total_revenue, 0), 'currency', home.currency))
    else (
      jsonb_build_array(jsonb_build_object('amount', t.total_revenue, 'currency', home.currency)) || ${otherMoney}::jsonb
    )::json
  end as by_currency,
  iso_utc(t.last_payment_at) as last_payment_date, c.deleted_at is not null as deleted`

export const customerJoins = `left join customer_totals t on t.customer_id = c.id cross join ${home}`
