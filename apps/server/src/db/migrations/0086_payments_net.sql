-- What came in between two moments is added up from the index alone.
create index payments_net on payments (created_at) include (currency, net_amount) where deleted_at is null;
