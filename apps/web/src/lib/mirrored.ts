/** Said of a list whose first import is not complete: what it does not show may exist all the same. */
const notImported = 'The import from Stripe is not complete.'

/** Why rows are missing in a mirrored list; undefined when none are, or nothing is known yet. */
export const missingOf = (list: { as_of: string | null } | undefined): string | undefined =>
  list?.as_of === null ? notImported : undefined
