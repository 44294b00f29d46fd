import type { Client } from 'pg'
import { cloudflareTables } from '../cloudflare/schema.ts'

export const quoteIdent = (name: string) => `"${name.replaceAll('"', '""')}"`

/** References are generated from the document, so a filter can never disagree with what is shown. */
const tables = (schema: string) => `
create schema if not exists ${schema};
create table if not exists ${schema}.objects (
  kind text not null,
  id text not null,
  created bigint not null,
  ord bigint not null,
  deleted boolean not null default false,
  doc jsonb not null,
  priv jsonb,
  customer text generated always as (doc->>'customer') stored,
  subscription text generated always as
    (coalesce(doc->>'subscription', doc #>> '{parent,subscription_details,subscription}')) stored,
  invoice text generated always as (doc->>'invoice') stored,
  payment_intent text generated always as
    (coalesce(doc->>'payment_intent', doc #>> '{payment,payment_intent}')) stored,
  charge text generated always as (coalesce(doc->>'charge', doc #>> '{payment,charge}')) stored,
  product text generated always as (doc->>'product') stored,
  email text generated always as (doc->>'email') stored,
  tag text generated always as
    (case when kind in ('event', 'payment_method') then doc->>'type' else doc->>'status' end) stored,
  primary key (kind, id)
);
create index if not exists objects_newest on ${schema}.objects (kind, created desc, ord desc);
create index if not exists objects_tag on ${schema}.objects (kind, tag, created desc, ord desc) where tag is not null;
create index if not exists objects_customer on ${schema}.objects (customer, kind) where customer is not null;
create index if not exists objects_subscription on ${schema}.objects (subscription, kind) where subscription is not null;
create index if not exists objects_invoice on ${schema}.objects (invoice, kind) where invoice is not null;
create index if not exists objects_intent on ${schema}.objects (payment_intent, kind) where payment_intent is not null;
create index if not exists objects_charge on ${schema}.objects (charge, kind) where charge is not null;
create index if not exists objects_product on ${schema}.objects (product, kind) where product is not null;
create index if not exists objects_email on ${schema}.objects (email, kind) where email is not null;
create table if not exists ${schema}.dues (
  kind text not null,
  ref text not null,
  at bigint not null,
  ord bigint not null,
  data jsonb,
  primary key (kind, ref)
);
create index if not exists dues_at on ${schema}.dues (at, ord);
create table if not exists ${schema}.state (
  only_row boolean primary key default true check (only_row),
  seed text not null,
  secret_key text not null,
  next_ord bigint not null,
  clock_offset bigint not null default 0,
  seeded_at bigint
);
create table if not exists ${schema}.idempotency (
  key text primary key,
  hash text not null,
  status integer not null,
  body text not null,
  request_id text not null,
  kept_at timestamptz not null default now()
);
create table if not exists ${schema}.deliveries (
  id bigint generated always as identity primary key,
  event text not null,
  endpoint text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_at bigint not null,
  last_status integer,
  last_error text
);
create index if not exists deliveries_due on ${schema}.deliveries (next_at) where state = 'pending';
create index if not exists deliveries_event on ${schema}.deliveries (event);
`

/** Every process may try; the advisory lock lets one at a time make what is missing. */
export async function migrate(client: Client, schema: string): Promise<void> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock(hashtext($1))', [`sandbox-schema ${schema}`])
  await client.query(tables(quoteIdent(schema)))
  await client.query(cloudflareTables(quoteIdent(schema)))
  await client.query('commit')
}
