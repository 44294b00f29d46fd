import { webAddress } from '../lib/web-address.ts'
import { Icon } from './Icon.tsx'
import css from './ProductionLink.module.css'

/** The site's address, shown as the host that it really leads to. Anything but a web address is no link. */
export function ProductionLink({ address }: { address: string | null }) {
  const url = webAddress(address)
  if (!url) return <span className={css['none']}>–</span>
  return (
    <a className={css['link']} href={url.href} target="_blank" rel="noopener noreferrer" title={url.href}>
      <span className={css['host']}>{url.host}</span>
      <Icon name="openInNew" size={14} />
    </a>
  )
}
