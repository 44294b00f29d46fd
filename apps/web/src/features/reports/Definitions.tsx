import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Popup } from '../../ui/Popup.tsx'
import css from './reports.module.css'

type Definition = { figure: string; text: string }
type Props = {
  /** What stands in the panel: "MRR". */
  of: string
  definitions: readonly Definition[]
  /** Only those; all of them where it is left out. */
  figures?: readonly string[]
}

const nameOf = (figure: string): string => {
  const words = figure.replaceAll('_', ' ').replace(/\b(mrr|arpa|ltv)\b/g, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What figures mean, one click from them. */
export function Definitions({ of, definitions, figures }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const shown = figures ? definitions.filter(({ figure }) => figures.includes(figure)) : definitions
  if (shown.length === 0) return null
  return (
    <>
      <Button
        size="small"
        aria-label={`Definition of ${of}`}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Definition
      </Button>
      {anchor ? (
        <Popup wide anchor={anchor} label={`Definition of ${of}`} onClose={() => setAnchor(null)}>
          <dl className={css['definitions']}>
            {shown.map(({ figure, text }) => (
              <div key={figure}>
                <dt>{nameOf(figure)}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </Popup>
      ) : null}
    </>
  )
}
