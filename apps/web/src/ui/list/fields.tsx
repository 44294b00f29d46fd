import { formatCount } from '../../lib/format.ts'
import type { Schema, StateOf } from '../../lib/search-state.ts'
import type { SearchState } from '../../lib/use-search-state.ts'
import { type Choice, FilterDate, FilterSelect } from '../FilterField.tsx'
import { SearchField } from '../SearchField.tsx'
import { Toggle, ToggleGroup } from '../Toggle.tsx'
import css from './fields.module.css'

type Bound<S extends Schema> = {
  screen: Pick<SearchState<S>, 'state' | 'set'>
  field: keyof S & string
  label: string
}

function bind<S extends Schema>({ screen: { state, set }, field }: Bound<S>) {
  return {
    value: String(state[field]),
    // Reading a field never fails: what is none of its values is its default.
    onChange: (value: string) => set({ [field]: value } as Partial<StateOf<S>>),
  }
}

/** The search of a list. */
export function ListSearch<S extends Schema>({ screen, label }: Omit<Bound<S>, 'field'>) {
  const { value, onChange } = bind({ screen, field: 'search', label })
  return <SearchField label={label} value={value} onSearch={onChange} />
}

type SelectProps = { choices: readonly Choice[]; disabledReason?: string | undefined }

/** A filter of a list that has a few values. */
export function ListSelect<S extends Schema>({ choices, disabledReason, ...bound }: Bound<S> & SelectProps) {
  return <FilterSelect label={bound.label} choices={choices} disabledReason={disabledReason} {...bind(bound)} />
}

export function ListDate<S extends Schema>(bound: Bound<S>) {
  return <FilterDate label={bound.label} {...bind(bound)} />
}

type ToggleChoice = Choice & { count?: number | undefined }

/** A filter of a list of which several values may be on at once, each with how many there are of it. */
export function ListToggles<S extends Schema>({
  choices,
  screen,
  field,
  label,
}: Bound<S> & { choices: readonly ToggleChoice[] }) {
  const on = screen.state[field] as readonly string[]
  const toggle = (value: string) =>
    // In the order of the choices, whatever was pressed first.
    choices.map((choice) => choice.value).filter((each) => on.includes(each) !== (each === value))
  return (
    <ToggleGroup label={label}>
      {choices.map(({ value, label: words, count }) => (
        <Toggle
          key={value}
          isOn={on.includes(value)}
          onToggle={() => screen.set({ [field]: toggle(value) } as Partial<StateOf<S>>)}
        >
          {words}
          {count === undefined ? null : <span className={css['count']}>{formatCount(count)}</span>}
        </Toggle>
      ))}
    </ToggleGroup>
  )
}
