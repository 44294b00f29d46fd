-- One allowance for every account at a provider: Stripe's calls obey its "wait" as Cloudflare's do.
alter table cloudflare_calls rename to provider_calls;
alter table provider_calls drop constraint cloudflare_calls_scope_check;
alter table cloudflare_blocks rename to provider_blocks;
drop function take_cloudflare_call(text, text, timestamptz, integer);

-- One call at a time decides: `most` of them fit into five minutes. Without a number nothing is counted.
create function take_provider_call(
  conn text, what text, at timestamptz, most integer,
  out allowed boolean, out is_blocked boolean, out retry_after integer
) language plpgsql as $$
declare
  this_slot bigint := floor(extract(epoch from at) / 5);
  blocked_until timestamptz;
  taken bigint;
  oldest bigint;
begin
  if most is not null then
    perform pg_advisory_xact_lock(hashtext('provider_calls'), hashtext(conn || what));
  end if;
  allowed := false;
  is_blocked := false;
  select until into blocked_until from provider_blocks where connection = conn and scope = what and until > at;
  if found then
    is_blocked := true;
    retry_after := ceil(extract(epoch from blocked_until - at));
    return;
  end if;
  if most is not null then
    delete from provider_calls where slot < this_slot - 60;
    select coalesce(sum(used), 0), min(slot) into taken, oldest
      from provider_calls where connection = conn and scope = what;
    if taken >= most then
      retry_after := greatest(1, ceil((coalesce(oldest, this_slot) + 61) * 5 - extract(epoch from at)));
      return;
    end if;
    insert into provider_calls values (conn, what, this_slot, 1)
      on conflict (connection, scope, slot) do update set used = provider_calls.used + 1;
  end if;
  allowed := true;
end $$;
