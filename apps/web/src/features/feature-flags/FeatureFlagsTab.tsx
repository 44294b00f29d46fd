import { formatCount } from '../../lib/format.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { ListSearch, ListSelect } from '../../ui/list/fields.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { FlagItem } from './FlagItem.tsx'
import css from './flags.module.css'
import { flagsList, showChoices } from './flags-list.ts'
import { useFlagActs } from './use-flag-acts.tsx'

/** The feature flags, on whatever screen they are shown: a list whose entries open in place. */
export function FeatureFlagsTab() {
  const screen = useListScreen(flagsList)
  const acts = useFlagActs()
  const { rows, error } = screen
  if (screen.denial) return <EmptyState title="You may not see feature flags" text={screen.denial} />
  const failure = (
    <ListFailure error={error} what="the feature flags" at={screen.at} onRetry={() => void screen.query.refetch()} />
  )
  return (
    <>
      {rows ? failure : null}
      <section className={css['frame']} aria-label="Feature flags" aria-busy={rows === undefined && !error}>
        <div className={css['bar']}>
          <ListSearch screen={screen} label="Search name, description or owner" />
          <ListSelect screen={screen} field="show" label="Show" choices={showChoices} />
          <AddButton blocked={acts.denial} onClick={acts.add}>
            Add Feature Flag
          </AddButton>
          {rows && rows.length > 0 ? (
            <span className={css['count']} role="status">
              {formatCount(rows.length)} {rows.length === 1 ? 'flag' : 'flags'}
            </span>
          ) : null}
        </div>
        {rows === undefined ? (
          <div className={css['waiting']}>{error ? failure : <SkeletonLines count={5} height={56} />}</div>
        ) : rows.length === 0 ? (
          <Nothing isFiltered={screen.isFiltered} onClear={screen.clear} />
        ) : (
          <ul className={css['list']}>
            {rows.map((flag) => (
              <FlagItem
                key={flag.id}
                flag={flag}
                isOpen={screen.state.open === flag.id}
                acts={acts}
                onToggle={(isOpen) => (isOpen ? screen.open(flag.id) : screen.close())}
              />
            ))}
          </ul>
        )}
      </section>
      {acts.dialogs}
    </>
  )
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return <EmptyState text="No flags match your filters" action={<Button onClick={onClear}>Clear filters</Button>} />
  return (
    <EmptyState
      title="No feature flags yet"
      text="A flag lets sites show something new to some visitors first, and lets you switch it off for all within seconds."
    />
  )
}
