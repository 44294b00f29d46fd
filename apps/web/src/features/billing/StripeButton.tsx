import OpenInNew from '@mui/icons-material/OpenInNew'
import Button from '@mui/material/Button'
import { stripePage } from '../../lib/provider-link.ts'
import { useSessionState } from '../../lib/session.ts'

export function StripeButton({ kind, id }: { kind: 'subscriptions' | 'payments'; id: string }) {
  const href = stripePage(useSessionState(), kind, id)
  if (!href) return null
  return (
    <Button href={href} target="_blank" rel="noreferrer" endIcon={<OpenInNew />} sx={{ mr: 'auto' }}>
      Open at Stripe
    </Button>
  )
}
