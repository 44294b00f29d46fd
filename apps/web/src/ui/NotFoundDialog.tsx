import { DetailsDialog } from './DetailsDialog.tsx'
import { EmptyState } from './EmptyState.tsx'

type Props = {
  /** "Customer". */
  what: string
  /** Why it may not be there. */
  text?: string
  onClose: () => void
}

/** Instead of the details of what does not exist: nothing can be done with it. */
export function NotFoundDialog({ what, text, onClose }: Props) {
  return (
    <DetailsDialog title={`${what} not found`} onClose={onClose}>
      <EmptyState text={text ?? `The ${what.toLowerCase()} may have been deleted, or the address is wrong.`} />
    </DetailsDialog>
  )
}
