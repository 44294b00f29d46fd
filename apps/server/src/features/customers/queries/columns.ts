// Aliases: c customers, t customer_totals; home answers the account's default currency.

// Without `offset 0` the function would be called for every row.
export const home = '(select default_currency() as currency offset 0) home'

const money = (amount: string, currency: string) =>
  `'{"amount":' || ${amount} || ',"currency":"' || ${currency} || '"}'`

// Put together as text: of four ways to make these objects it is the cheapest, and currencies are plain words.
const byCurrency = `('[' || ${money('coalesce(t.total_revenue, 0)', 'home.currency')} || case when t.other_revenue is null then '' else (
    select string_agg(',' || ${money('value', 'key')}, '' order by key) from jsonb_each_text(t.other_revenue)
  ) end || ']')::json`

/** What open invoices ask for; nothing where they are settled. */
const owes = `('[' || concat_ws(',',
    case when t.owed > 0 then ${money('t.owed', 'home.currency')} end,
    (select string_agg(${money('value', 'key')}, ',' order by key) from jsonb_each_text(t.other_owed))
  ) || ']')::json`

export const customerColumns = `c.id, c.name, c.email, c.phone, c.status, iso_utc(c.created_at) as created_at, c.site_count,
  json_build_object('company', c.company) as metadata, c.account_type, c.subscription_id, c.country,
  coalesce(t.total_revenue, 0) as total_revenue, home.currency, ${byCurrency} as by_currency, ${owes} as owes,
  iso_utc(t.last_payment_at) as last_payment_date, c.deleted_at is not null as deleted`

export const customerJoins = `left join customer_totals t on t.customer_id = c.id cross join ${home}`
