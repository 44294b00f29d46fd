import type { Tone } from '../theme/palette.ts'
import css from './StatusChip.module.css'

type Props = { tone: Tone; label: string; title?: string }

export function StatusChip({ tone, label, title }: Props) {
  return (
    <span className={css['chip']} data-tone={tone} title={title}>
      {label}
    </span>
  )
}
