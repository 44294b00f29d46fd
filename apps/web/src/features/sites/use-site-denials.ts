import { useDenial } from '../../lib/session.ts'
import type { SiteDenials } from './site-actions.ts'

export function useSiteDenials(): SiteDenials {
  return { write: useDenial('sites.write'), deploy: useDenial('sites.deploy') }
}
