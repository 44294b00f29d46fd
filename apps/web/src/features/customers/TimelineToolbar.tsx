import type { Permission, TimelineKind } from '@agency/contract/types'
import { Button } from '../../ui/Button.tsx'
import { FilterDate, FilterText } from '../../ui/FilterField.tsx'
import { Toggle, ToggleGroup } from '../../ui/Toggle.tsx'
import { type TimelineState, timelineKinds } from './customer-search.ts'
import { KindIcon } from './KindIcon.tsx'
import css from './timeline.module.css'
import { kindWords } from './timeline-kinds.ts'

type Props = {
  state: TimelineState
  /** Kinds that the actor may not see, and what they need. */
  hidden: readonly { kind: TimelineKind; permission: Permission }[]
  onChange: (change: Partial<TimelineState>) => void
}

/** Which kinds are shown, with which words, and from which day on. */
export function TimelineToolbar({ state, hidden, onChange }: Props) {
  const toggle = (kind: TimelineKind) =>
    onChange({ kinds: timelineKinds.filter((each) => state.kinds.includes(each) !== (each === kind)) })
  return (
    <div className={css['toolbar']}>
      <ToggleGroup label="Kinds">
        <Toggle isOn={state.kinds.length === 0} onToggle={() => onChange({ kinds: [] })}>
          All
        </Toggle>
        {timelineKinds.map((kind) => (
          <KindToggle
            key={kind}
            kind={kind}
            isOn={state.kinds.includes(kind)}
            permission={hidden.find((each) => each.kind === kind)?.permission}
            onToggle={() => toggle(kind)}
          />
        ))}
      </ToggleGroup>
      <div className={css['jump']}>
        <FilterText label="Search activity" value={state.find} onChange={(find) => onChange({ find })} />
        <FilterDate label="Jump to" value={state.until} onChange={(until) => onChange({ until })} />
        {state.until ? (
          <Button size="small" onClick={() => onChange({ until: '' })}>
            Back to now
          </Button>
        ) : null}
      </div>
    </div>
  )
}

type ToggleProps = { kind: TimelineKind; isOn: boolean; permission: Permission | undefined; onToggle: () => void }

function KindToggle({ kind, isOn, permission, onToggle }: ToggleProps) {
  const denial = permission && `Needs the permission ${permission}`
  return (
    <Toggle isOn={isOn} denial={denial} onToggle={onToggle}>
      <KindIcon kind={kind} />
      {kindWords[kind].label}
    </Toggle>
  )
}
