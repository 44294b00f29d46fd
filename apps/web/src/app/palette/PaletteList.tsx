import { type Group, type Item, optionId } from './items.ts'
import { PaletteOption } from './PaletteOption.tsx'
import css from './palette.module.css'

type Props = {
  id: string
  groups: readonly Group[]
  active: Item | undefined
  /** What the server found belongs to an earlier term. */
  isLate: boolean
  onPoint: (key: string) => void
  onChoose: (item: Item) => void
}

export function PaletteList({ id, groups, active, isLate, onPoint, onChoose }: Props) {
  if (groups.length === 0) return null
  const all = groups.flatMap((group) => group.items)
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Results"
      tabIndex={-1}
      className={css['list']}
      // A press would take the focus out of the field.
      onMouseDown={(event) => event.preventDefault()}
    >
      {groups.map(({ label, items, isFromServer = false }) => (
        // biome-ignore lint/a11y/useSemanticElements: options stand in a group, not in a fieldset
        <div key={label} role="group" aria-label={label} className={css['group']} data-late={isFromServer && isLate}>
          <div className={css['label']} aria-hidden="true">
            {label}
          </div>
          {items.map((item) => (
            <PaletteOption
              key={item.key}
              id={optionId(id, item)}
              item={item}
              isActive={item === active}
              place={all.indexOf(item)}
              onPoint={() => onPoint(item.key)}
              onChoose={onChoose}
            />
          ))}
        </div>
      ))}
    </div>
  )
}
