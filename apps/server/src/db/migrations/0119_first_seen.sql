-- With which answer of the provider a row came here first; null for rows from before this was kept. What a listing brought that
-- turned out to be no listing is taken back by it.
alter table products add column first_seq bigint;
alter table prices add column first_seq bigint;
alter table coupons add column first_seq bigint;
alter table customers add column first_seq bigint;
alter table subscriptions add column first_seq bigint;
alter table invoices add column first_seq bigint;
alter table invoice_payments add column first_seq bigint;
alter table payments add column first_seq bigint;
alter table charges add column first_seq bigint;
alter table refunds add column first_seq bigint;
alter table disputes add column first_seq bigint;
alter table checkout_sessions add column first_seq bigint;
