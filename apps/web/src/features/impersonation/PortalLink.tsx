import { Button } from '../../ui/Button.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { Icon } from '../../ui/Icon.tsx'

type Props = { name: string; url: string; onClose: () => void }

/** The browser opened no tab by itself: a link is what it opens on a click. */
export function PortalLink({ name, url, onClose }: Props) {
  return (
    <DetailsDialog title="Impersonate" onClose={onClose}>
      <p>
        The billing portal of <bdi>{name}</bdi> is ready, but the browser blocked the new tab. The link works for a
        short while.
      </p>
      <Button variant="contained" href={url} external endIcon={<Icon name="openInNew" />}>
        Open the billing portal
      </Button>
    </DetailsDialog>
  )
}
