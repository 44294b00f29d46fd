import type { MouseEvent } from 'react'
import { DateTime } from '../../ui/DateTime.tsx'
import { Money } from '../../ui/Money.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import type { Item } from './items.ts'
import css from './palette.module.css'
import { keysOf } from './place-keys.ts'

type Props = {
  id: string
  item: Item
  isActive: boolean
  /** Among all options, counted from 0. */
  place: number
  onPoint: () => void
  onChoose: (item: Item) => void
}

export function PaletteOption({ id, item, isActive, place, onPoint, onChoose }: Props) {
  const handleClick = (event: MouseEvent) => {
    // A link that opens in another tab leaves everything as it is here.
    if (item.href && (event.metaKey || event.ctrlKey || event.shiftKey)) return
    onChoose(item)
  }
  const keys = keysOf(place)
  const option = {
    id,
    role: 'option',
    'aria-selected': isActive,
    'aria-keyshortcuts': keys?.spoken,
    'data-keys': keys?.shown,
    className: css['option'],
    onPointerMove: isActive ? undefined : onPoint,
    onClick: handleClick,
  } as const
  // The focus stays in the field: options are pointed at from there.
  if (item.href) {
    return (
      <a {...option} href={item.href} tabIndex={-1}>
        <Words item={item} />
      </a>
    )
  }
  return (
    <div {...option} tabIndex={-1}>
      <Words item={item} />
    </div>
  )
}

function Words({ item }: { item: Item }) {
  const { title, detail, code, chips = [], money, at } = item
  return (
    <>
      <span className={css['words']}>
        <span className={css['title']}>
          <bdi className={css['name']}>{title}</bdi>
          {chips.map((chip) => (
            <StatusChip key={chip.label} {...chip} />
          ))}
        </span>
        {detail || code ? (
          <span className={css['detail']}>
            {detail ? <bdi>{detail}</bdi> : null}
            {detail && code ? ' · ' : null}
            {code ? <code>{code}</code> : null}
          </span>
        ) : null}
      </span>
      {money || at ? (
        <span className={css['side']}>
          {money ? <Money {...money} /> : null}
          {at ? (
            <span className={css['detail']}>
              <DateTime at={at} />
            </span>
          ) : null}
        </span>
      ) : null}
    </>
  )
}
