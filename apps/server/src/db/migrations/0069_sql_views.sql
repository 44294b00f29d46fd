-- What the SQL console shows: views alone, each with its comment. No secret, no hash and no raw object of a provider is in them.
-- A column whose comment begins with "Personal" is masked for whoever may not see customers.

create schema sql_views;

-- Only to be granted: whoever may select from it sees personal columns.
create view sql_views.personal_columns as select true as shown;
comment on view sql_views.personal_columns is 'Whoever may read it sees personal columns';

create function sql_views.personal(value text) returns text language sql stable parallel safe as $$
  select case
    when has_table_privilege('sql_views.personal_columns'::regclass, 'select') then value
    when value is not null then '[masked]'
  end
$$;

create view sql_views.customers as
  select id, sql_views.personal(name) as name, sql_views.personal(email) as email, sql_views.personal(phone) as phone,
    sql_views.personal(company) as company, country, account_type, status, site_count, is_live, subscription_id, created_at,
    suspended_at, deleted_at
  from customers;
comment on view sql_views.customers is 'Customers, as Stripe has them; deleted_at is set once one was deleted';
comment on column sql_views.customers.name is 'Personal';
comment on column sql_views.customers.email is 'Personal';
comment on column sql_views.customers.phone is 'Personal';
comment on column sql_views.customers.company is 'Personal';
comment on column sql_views.customers.country is 'ISO 3166 code of two letters';
comment on column sql_views.customers.is_live is 'Has a live subscription';

create view sql_views.customer_totals as
  select customer_id, total_revenue, other_revenue, last_payment_at from customer_totals;
comment on view sql_views.customer_totals is 'What each customer has paid, net of refunds and lost disputes';
comment on column sql_views.customer_totals.total_revenue is 'In minor units of the default currency';
comment on column sql_views.customer_totals.other_revenue is 'Other currencies: {"eur": 1200}';

create view sql_views.customer_notes as
  select id, customer_id, author_name, sql_views.personal(text) as text, created_at, edited_at, deleted_at from customer_notes;
comment on view sql_views.customer_notes is 'Notes that administrators wrote about customers';
comment on column sql_views.customer_notes.text is 'Personal';

create view sql_views.subscriptions as
  select id, customer_id, status, stripe_status, product_id, price_id, plan_nickname, amount, currency, "interval", interval_count,
    mrr, current_period_start, current_period_end, running_from, trial_end, cancel_at, cancel_at_period_end, cancelled_at,
    ended_at, failed_payments, total_revenue, created_at, deleted_at
  from subscriptions;
comment on view sql_views.subscriptions is 'Subscriptions with their status and MRR';
comment on column sql_views.subscriptions.mrr is 'Minor units a month, not rounded; 0 while it does not count';
comment on column sql_views.subscriptions.running_from is 'Past its trial since';
comment on column sql_views.subscriptions.amount is 'Minor units per billing period';

create view sql_views.subscription_totals as
  select product_id, status, currency, subscriptions, mrr, revenue from subscription_totals;
comment on view sql_views.subscription_totals is 'Subscriptions and their MRR by plan, status and currency';

create view sql_views.plans as
  select id, name, description, tier, active, created_at, deleted_at from products;
comment on view sql_views.plans is 'Plans: the products of Stripe';

create view sql_views.prices as
  select id, product_id, nickname, unit_amount, currency, type, billing_scheme, "interval", interval_count, usage_type, active,
    created_at, deleted_at
  from prices;
comment on view sql_views.prices is 'Prices of plans, in minor units';

create view sql_views.coupons as
  select id, name, percent_off, amount_off, currency, duration, created_at, deleted_at from coupons;
comment on view sql_views.coupons is 'Coupons of Stripe';

create view sql_views.payments as
  select id, customer_id, status, stripe_status, amount, currency, amount_captured, amount_refunded, amount_lost, net_amount,
    counts_as_failed, disputed, dispute_status, description, payment_method_type, failure_code, failure_message,
    sql_views.personal(receipt_email) as receipt_email, latest_charge_id, created_at, deleted_at
  from payments;
comment on view sql_views.payments is 'Payments, in minor units of their currency';
comment on column sql_views.payments.net_amount is 'Captured, less refunds and lost disputes';
comment on column sql_views.payments.receipt_email is 'Personal';

create view sql_views.charges as
  select id, payment_id, customer_id, status, amount, currency, amount_captured, amount_refunded, failure_code, failure_message,
    created_at, deleted_at
  from charges;
comment on view sql_views.charges is 'Each try to charge a payment';

create view sql_views.refunds as
  select id, payment_id, charge_id, customer_id, status, amount, currency, reason, failure_reason, taken_off, created_at, deleted_at
  from refunds;
comment on view sql_views.refunds is 'Refunds, in minor units';
comment on column sql_views.refunds.taken_off is 'When its payment was made, which counts it at that moment; reports move it to created_at';

create view sql_views.disputes as
  select id, payment_id, charge_id, customer_id, status, reason, amount, currency, evidence_due_at, taken_off, created_at, deleted_at
  from disputes;
comment on view sql_views.disputes is 'Disputes of payments';

create view sql_views.invoices as
  select id, number, customer_id, subscription_id, status, currency, amount_due, amount_paid, amount_remaining, tax, attempt_count,
    due_at, paid_at, created_at, deleted_at
  from invoices;
comment on view sql_views.invoices is 'Invoices, in minor units';

create view sql_views.invoice_payments as
  select id, invoice_id, payment_id, status, amount_paid, currency, created_at, deleted_at from invoice_payments;
comment on view sql_views.invoice_payments is 'Which payment paid which invoice';

create view sql_views.invoice_terms as
  select invoice_id, line_id, refund_id, customer_id, subscription_id, currency, amount, starts_at, ends_at, paid_at, stopped_at
  from invoice_terms;
comment on view sql_views.invoice_terms is 'What was paid ahead: lines of invoices with the time that they are for';

create view sql_views.checkout_sessions as
  select id, customer_id, payment_id, subscription_id, mode, status, payment_status, amount_total, currency,
    sql_views.personal(customer_email) as customer_email, created_at, deleted_at
  from checkout_sessions;
comment on view sql_views.checkout_sessions is 'Purchases through Stripe Checkout';
comment on column sql_views.checkout_sessions.customer_email is 'Personal';

create view sql_views.balance_transactions as
  select id, type, category, part, source_id, customer_id, amount, fee, net, currency, exchange_rate, status, created_at,
    available_at, deleted_at
  from balance_transactions;
comment on view sql_views.balance_transactions is 'What Stripe settled, with its fees, in the currency that it settles in';
comment on column sql_views.balance_transactions.part is 'Line of the settlement: charges, refunds, disputes, fees, moved or other';

create view sql_views.balance_hours as
  select hour, currency, part, transactions, amount, fee, net, converted from balance_hours;
comment on view sql_views.balance_hours is 'Balance transactions added up by hour (UTC)';

create view sql_views.daily_revenue as
  select day, currency, captured, refunded, lost, net, succeeded, failed from daily_revenue;
comment on view sql_views.daily_revenue is 'Revenue by day (UTC): captured less refunded less lost is net';

create view sql_views.revenue_hours as
  select hour, currency, payments, gross, refunded, lost, tax, gross - refunded - lost as revenue from revenue_hours;
comment on view sql_views.revenue_hours is 'Revenue by hour (UTC), from which the reports are added up';

create view sql_views.mrr_movements as
  select customer_id, currency, at, kind, before, after, after - before as amount, subscription_id, reconstructed, first_at
  from mrr_movements;
comment on view sql_views.mrr_movements is 'Each change of what a customer pays a month';

create view sql_views.mrr_hours as
  select hour, currency, kind, movements, amount, reconstructed from mrr_hours;
comment on view sql_views.mrr_hours is 'MRR movements added up by hour (UTC); amounts carry their sign';

create view sql_views.daily_subscriptions as
  select day, currency, started, ended, mrr_started, mrr_ended from daily_subscriptions;
comment on view sql_views.daily_subscriptions is 'Subscriptions that started and ended, by day (UTC)';

create view sql_views.daily_customers as select day, created from daily_customers;
comment on view sql_views.daily_customers is 'New customers by day (UTC)';

create view sql_views.money_actions as
  select id, kind, state, actor_name, target_id, result_id, amount, currency, error, created_at, sent_at, finished_at
  from money_actions;
comment on view sql_views.money_actions is 'Refunds, cancellations and the like that were asked for here';

create view sql_views.purchase_resets as
  select id, kind, site_id, site_name, purchase_id, actor_name, reason, at from purchase_resets;
comment on view sql_views.purchase_resets is 'Purchases whose status was reset';

create view sql_views.sites as
  select id, site_name, domain, subdomain, customer_id, template_type, status, status_reason, health_status, ssl_status, ssl_issuer,
    ssl_expires_at, performance_score, response_ms, storage_used, bandwidth_used, provider, is_demo, last_deployment, created_at,
    updated_at, deleted_at
  from sites;
comment on view sql_views.sites is 'Customer sites with their health';
comment on column sql_views.sites.storage_used is 'Megabytes';
comment on column sql_views.sites.bandwidth_used is 'Megabytes';

create view sql_views.site_status_changes as
  select id, site_id, from_status, to_status, cause, reason, actor_name, at from site_status_changes;
comment on view sql_views.site_status_changes is 'When a site was suspended, put into maintenance and so on';

create view sql_views.site_hours as
  select site_id, hour, probes, failures, response_ms, ttfb_ms, score, known_seconds, down_seconds, degraded_seconds,
    maintenance_seconds
  from counted_site_hours;
comment on view sql_views.site_hours is 'What the monitor measured, by site and hour (UTC), without false positives';

create view sql_views.site_days as
  select site_id, day, probes, failures, response_ms, known_seconds, down_seconds, degraded_seconds, maintenance_seconds
  from counted_site_days;
comment on view sql_views.site_days is 'What the monitor measured, by site and day (UTC), without false positives';

create view sql_views.monitored_days as
  select day, sites, known_seconds, down_seconds, answered, response_us from probe_day_totals;
comment on view sql_views.monitored_days is 'What the monitor measured of all sites, by day (UTC)';

create view sql_views.site_beacon_days as
  select site_id, day, visits, page_views, goals, is_whole from site_beacon_days;
comment on view sql_views.site_beacon_days is 'Visits by day, where a site carries the beacon';

create view sql_views.deployments as
  select id, site_id, kind, origin, status, reason, failure, provider, version, branch, commit_hash, url, actor_name, queued_at,
    started_at, completed_at, duration, rolled_back_to, retry_of
  from deployments;
comment on view sql_views.deployments is 'Deployments of sites; duration is in seconds';

create view sql_views.domains as
  select id, name, account, status, paused, type, plan, created_on, modified_on from domains;
comment on view sql_views.domains is 'Zones at Cloudflare';

create view sql_views.domain_days as
  select zone_id, day, requests, cached_requests, bytes, cached_bytes, threats, page_views, unique_visitors, visits,
    server_errors, is_complete
  from domain_analytics_days;
comment on view sql_views.domain_days is 'Traffic of each zone by day (UTC)';

create view sql_views.services as
  select key, status, since, response_ms, detail, checked_at from monitored_services;
comment on view sql_views.services is 'The services that the console watches';

create view sql_views.service_days as
  select key, day, checks, response_ms, known_seconds, down_seconds, degraded_seconds, maintenance_seconds from service_days;
comment on view sql_views.service_days is 'What was measured of each service, by day (UTC)';

create view sql_views.alerts as
  select id, rule, severity, status, title, detail, subject, subject_id, subject_name, opened_at, acknowledged_at,
    acknowledged_by, resolved_at, resolved_by, incident_id, is_flapping, reopened
  from alerts;
comment on view sql_views.alerts is 'Alerts';

create view sql_views.incidents as
  select id, number, severity, status, title, opened_at, opened_by, resolved_at, resolved_by, is_false_positive, merged_into
  from incidents;
comment on view sql_views.incidents is 'Incidents';

create view sql_views.admin_users as
  select id, sql_views.personal(name) as name, sql_views.personal(email) as email, role_id, is_active, login_count, last_login_at,
    last_activity_at, totp_enabled_at is not null as has_second_factor, created_at, created_by_name
  from users;
comment on view sql_views.admin_users is 'People who may sign in to this console';
comment on column sql_views.admin_users.name is 'Personal';
comment on column sql_views.admin_users.email is 'Personal';

create view sql_views.roles as
  select id, display_name, description, permissions, is_system_role, requires_second_factor from roles;
comment on view sql_views.roles is 'Roles and what they may do';

create view sql_views.api_keys as
  select id, name, key_prefix, permissions, created_by_name, use_count, last_used_at, expires_at, created_at, revoked_at
  from api_keys;
comment on view sql_views.api_keys is 'API keys, without the keys';

create view sql_views.sign_in_attempts as
  select id, at, method, succeeded, user_id, reason, sql_views.personal(address) as address from sign_in_attempts;
comment on view sql_views.sign_in_attempts is 'Sign-ins that were tried';
comment on column sql_views.sign_in_attempts.address is 'Personal';

create view sql_views.audit_entries as
  select id, at, actor_type, actor_id, actor_name, action, resource_type, resource_id, outcome,
    sql_views.personal(address) as address, request_id
  from audit_entries;
comment on view sql_views.audit_entries is 'The audit log, without what was before and after';
comment on column sql_views.audit_entries.address is 'Personal';

create view sql_views.mails as
  select id, kind, sql_views.personal(to_address) as to_address, sql_views.personal(subject) as subject, state, attempts, error,
    created_at, sent_at
  from mails;
comment on view sql_views.mails is 'Mails that were written, without their text';
comment on column sql_views.mails.to_address is 'Personal';
comment on column sql_views.mails.subject is 'Personal';

create view sql_views.exports as
  select id, kind, title, format, state, maker_name, rows_done, bytes, reason, created_at, finished_at, expires_at from exports;
comment on view sql_views.exports is 'Files that were made of lists and reports';

create view sql_views.webhook_events as
  select id, type, object_kind, object_id, origin, state, attempts, error, created_at, received_at, applied_at from webhook_events;
comment on view sql_views.webhook_events is 'Events of Stripe, without their content';

-- What was asked in the console, by whom, and how it ended. Results are not kept.
create table sql_queries (
  id text primary key,
  actor_type text not null,
  actor_id text not null,
  actor_name text not null,
  kind text not null check (kind in ('read', 'explain', 'write')),
  query text not null,
  parameters jsonb not null default '[]',
  -- Whether personal columns were shown.
  sees_personal boolean not null,
  status text not null check (status in ('processing', 'success', 'error', 'cancelled')),
  error text,
  executed_at timestamptz not null,
  -- Milliseconds.
  execution_time integer check (execution_time >= 0),
  -- Read or written; of a result that was cut off, those that were read.
  rows_affected bigint check (rows_affected >= 0),
  -- Why there may be more: the most rows, or the most bytes.
  truncated text check (truncated in ('rows', 'bytes')),
  check ((status = 'processing') = (execution_time is null))
);
create index sql_queries_own on sql_queries (actor_type, actor_id, executed_at desc, id desc);
create index sql_queries_open on sql_queries (executed_at) where status = 'processing';
create index sql_queries_age on sql_queries (executed_at);
create trigger sql_queries_tell after insert or update or delete on sql_queries
  for each statement execute function tell_change('sql_console');

-- What the roles of the console may read. Roles belong to the server rather than to a database, and not every console may make
-- them: so they are made at the first query, or by hand, and get their rights by this.
create function sql_console_grant_readers(reader name, masked name) returns void language plpgsql as $$
begin
  execute format('grant usage on schema sql_views to %I, %I', reader, masked);
  execute format('grant select on all tables in schema sql_views to %I, %I', reader, masked);
  execute format('revoke all on sql_views.personal_columns from %I', masked);
  -- Nobody makes temporary tables here.
  if (select pg_has_role(datdba, 'usage') from pg_database where datname = current_database()) then
    execute format('revoke temporary on database %I from public', current_database());
  end if;
end
$$;

-- As figures are rounded, so that a query comes to the same. Written out, as it must not depend on where the tables lie while a
-- backup is looked through.
create function sql_views.round_half_even(value numeric) returns bigint language sql immutable parallel safe as $$
  select case
    when abs(v - trunc(v)) = 0.5 then (2 * round(v / 2))::bigint
    else round(v)::bigint
  end from (select round(value, 9) as v) r
$$;
