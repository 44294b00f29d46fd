import type { ReactNode } from 'react'
import type { Endpoint } from '../../lib/api.ts'
import { useDenial } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'

type Props = {
  children: ReactNode
  /** The call that it leads to. */
  endpoint: Endpoint
  onPress: () => void
  destructive?: boolean
  /** Why it cannot be done to this object. */
  blocked?: string | undefined
}

/** A button that moves money or ends a subscription: disabled, with its reason, where that cannot be. */
export function MoneyButton({ children, endpoint, onPress, destructive = false, blocked }: Props) {
  const denial = useDenial(endpoint)
  const reason = denial ?? blocked
  return (
    <span title={reason}>
      <Button
        variant="outlined"
        color={destructive ? 'error' : 'primary'}
        disabled={reason !== undefined}
        onClick={onPress}
        aria-description={reason}
      >
        {children}
      </Button>
    </span>
  )
}
