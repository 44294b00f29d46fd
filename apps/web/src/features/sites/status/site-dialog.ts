import * as sites from '@agency/contract/descriptors/sites'
import type { Site } from '@agency/contract/types'

export type SiteDialogProps = { site: Pick<Site, 'id' | 'site_name'>; onClose: () => void }

/** What is read again once something was done to a site. */
export const siteReads = [sites.listSites, sites.getSite]

/** What became of a suspension, or of its end, so far. */
export function suspensionText({ site_name, at_provider }: Pick<Site, 'site_name' | 'at_provider'>): string {
  const words: Record<Site['at_provider'], string> = {
    served: `Resumed ${site_name}`,
    resuming: `${site_name} is going back online`,
    suspending: `${site_name} is suspended and is going offline`,
    offline: `${site_name} is suspended and offline`,
    still_served: `${site_name} is suspended here, but still live`,
  }
  return words[at_provider]
}
