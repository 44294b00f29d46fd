import type { ComponentProps } from 'react'
import { Button } from './Button.tsx'

type Props = ComponentProps<typeof Button> & {
  /** Why it cannot be pressed now; told on hover and to screen readers. */
  blocked?: string | undefined | null
}

export function ReasonedButton({ blocked, disabled = false, ...button }: Props) {
  const reason = blocked ?? undefined
  return (
    <span title={reason}>
      <Button {...button} disabled={disabled || reason !== undefined} aria-description={reason} />
    </span>
  )
}
