-- Customers are found by the beginning of their id: by the primary key where the database sorts by bytes, else by this index.
do $do$
begin
  if not exists (
    select from pg_database
    where datname = current_database() and (datcollate in ('C', 'POSIX') or datlocprovider = 'b')
  ) then
    create index customers_id_beginning on customers (id text_pattern_ops);
  end if;
end $do$;
