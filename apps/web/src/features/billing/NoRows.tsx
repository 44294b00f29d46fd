import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

type Props = { unit: string; failed: boolean; filtered: boolean; onClear: () => void }

export function NoRows({ unit, failed, filtered, onClear }: Props) {
  if (failed) return <EmptyState text={`No ${unit} could be loaded.`} />
  if (filtered) {
    return (
      <EmptyState text={`No ${unit} match your filters`} action={<Button onClick={onClear}>Clear filters</Button>} />
    )
  }
  return <EmptyState text={`No ${unit} yet. They appear here as soon as Stripe has the first one.`} />
}
