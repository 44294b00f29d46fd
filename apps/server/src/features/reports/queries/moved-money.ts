/**
 * What came in and went back of each customer from `$1` until `$2` in the currency `$3`; refunds and lost disputes are moved to
 * when they were made. `customers`: a query of those that are wanted.
 */
export function movedMoney(customers?: string): string {
  const wanted = customers === undefined ? '' : `customer_id = any (array(${customers})) and `
  return `
    select customer_id, net_amount as amount from payments
    where ${wanted}created_at >= $1 and created_at < $2 and currency = $3 and deleted_at is null
    union all
    select customer_id, amount from refunds where ${wanted}taken_off >= $1 and taken_off < $2 and currency = $3
    union all
    select customer_id, -amount from refunds
    where ${wanted}created_at >= $1 and created_at < $2 and currency = $3 and taken_off is not null
    union all
    select customer_id, amount from disputes where ${wanted}taken_off >= $1 and taken_off < $2 and currency = $3
    union all
    select customer_id, -amount from disputes
    where ${wanted}created_at >= $1 and created_at < $2 and currency = $3 and taken_off is not null`
}
