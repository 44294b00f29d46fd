import { type ComponentType, createContext, useContext } from 'react'

/** What other features show of a site; the app puts it in, because features do not know each other. */
export type SiteParts = {
  /** The deployments of a site, with what can be done about them. */
  SiteDeployments: ComponentType<{ siteId: string }>
}

const Parts = createContext<SiteParts>({ SiteDeployments: () => null })

export const SitePartsProvider = Parts.Provider
export const useSiteParts = (): SiteParts => useContext(Parts)
