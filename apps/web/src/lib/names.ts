type Named = { id?: string | null; name?: string | null; email?: string | null }

/** What a customer is called: the name, else the email, else the id. Blank counts as missing. */
export function nameOf({ id, name, email }: Named): string {
  return name?.trim() || email?.trim() || id || 'No customer'
}

type Payer = { customer_id: string | null; customer_name: string | null; customer_email: string | null }

export function customerNameOf(row: Payer): string {
  return nameOf({ id: row.customer_id, name: row.customer_name, email: row.customer_email })
}
