import { CopyButton } from '../../ui/CopyButton.tsx'
import css from './domains.module.css'

/** Name servers, each ready to be given to a registrar. */
export function NameServerList({ servers }: { servers: readonly string[] }) {
  return (
    <ul className={css['nameServers']}>
      {servers.map((server) => (
        <li key={server}>
          <bdi>{server}</bdi>
          <CopyButton text={server} label={`Copy ${server}`} />
        </li>
      ))}
    </ul>
  )
}
