import { stripePage } from '../../lib/provider-link.ts'
import { useSessionState } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'

export function StripeButton({ kind, id }: { kind: 'subscriptions' | 'payments'; id: string }) {
  const href = stripePage(useSessionState(), kind, id)
  if (!href) return null
  return (
    <span style={{ marginRight: 'auto' }}>
      <Button href={href} external endIcon={<Icon name="openInNew" />}>
        Open at Stripe
      </Button>
    </span>
  )
}
