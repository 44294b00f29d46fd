import { useRouteError } from 'react-router'
import { SectionError } from '../../ui/SectionError.tsx'

/** A page whose code could not be loaded, or the shell itself. Only a new page asks for a failed chunk again. */
export function RouteError() {
  const error = useRouteError()
  return (
    <main style={{ padding: 24 }}>
      <SectionError error={error instanceof Error ? error : new Error('')} onRetry={() => window.location.reload()} />
    </main>
  )
}
