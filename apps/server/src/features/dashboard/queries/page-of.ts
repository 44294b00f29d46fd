export type Amounts = { amount: number; currency: string }[]
export type Page<Row> = { rows: Row[]; total: number }

/** The first rows of a list and how many there are in all, which each row says. */
export async function pageOf<Row>(query: Promise<{ rows: (Row & { total: number })[] }>): Promise<Page<Row>> {
  const { rows } = await query
  return { rows, total: rows[0]?.total ?? 0 }
}
