-- What a site serves is told by its newest deployment that may be served, however many failed since.
create index deployments_served on deployments (site_id, queued_at desc, id desc)
  where status = 'success' or (
    sent_at is not null and (
      (status = 'failed' and (accepted_at is null or served is not null)) or (status = 'cancelled' and provider = 'hook')
    )
  );
