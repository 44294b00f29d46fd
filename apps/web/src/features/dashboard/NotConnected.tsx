import { useMayOpen } from '../../lib/screen-access.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

type Props = { reason: string; href: string; link: string }

/** The source of a part is not there yet: why, and where to go. */
export function NotConnected({ reason, href, link }: Props) {
  const mayOpen = useMayOpen()
  return (
    <EmptyState
      compact
      title="Not connected"
      text={reason}
      action={
        mayOpen(href) ? (
          <Button size="small" href={href}>
            {link}
          </Button>
        ) : undefined
      }
    />
  )
}
