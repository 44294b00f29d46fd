import type { ComponentProps } from 'react'
import type { DetailsDialog } from './DetailsDialog.tsx'
import { EmptyState } from './EmptyState.tsx'

/**
 * What a details dialog shows of what does not exist ("Customer"): nothing can be done with it.
 * The dialog itself stays: another one in its place would open over what was opened from it.
 */
export function notFound(
  what: string,
  text = `The ${what.toLowerCase()} may have been deleted, or the address is wrong.`,
): Pick<ComponentProps<typeof DetailsDialog>, 'title' | 'children'> {
  return { title: `${what} not found`, children: <EmptyState text={text} /> }
}
