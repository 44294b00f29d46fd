import { type ComponentType, lazy } from 'react'
import { type SiteParts, SitePartsProvider } from '../lib/site-parts.ts'

const parts: SiteParts = {
  SiteDeployments: lazy(() =>
    import('../features/deployments/SiteDeployments.tsx').then((module) => ({ default: module.SiteDeployments })),
  ),
}

/** The page, which may show what the deployments feature has. */
export const withSiteParts = (Page: ComponentType) =>
  function PageWithSiteParts() {
    return (
      <SitePartsProvider value={parts}>
        <Page />
      </SitePartsProvider>
    )
  }
