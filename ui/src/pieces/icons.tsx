import type { ReactNode } from 'react';

/** Drawn here, on a grid of 24, so that nothing is fetched and only what is used is shipped. They have no accessible name: label them where you use them. */
function Icon({ children, size = 18 }: { children: ReactNode; size?: number | undefined }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

type Props = { size?: number };
const drawn = (...paths: string[]) =>
  function Drawn({ size }: Props) {
    return <Icon size={size}>{paths.map((d) => <path key={d} d={d} />)}</Icon>;
  };

export const JobsIcon = drawn('M4 6h16', 'M4 12h10', 'M4 18h7', 'M18 13v3l2 1.5', 'M18 11a5 5 0 1 0 .01 0');
export const TasksIcon = drawn('M9 6h11', 'M9 12h11', 'M9 18h11', 'M3.5 6l1 1 2-2', 'M3.5 12l1 1 2-2', 'M3.5 18l1 1 2-2');
export const WorkersIcon = drawn('M4 4h16v6H4z', 'M4 14h16v6H4z', 'M8 7h.01', 'M8 17h.01', 'M12 7h5', 'M12 17h5');
export const ClusterIcon = drawn('M12 3a2.5 2.5 0 1 0 .01 0', 'M5 16a2.5 2.5 0 1 0 .01 0', 'M19 16a2.5 2.5 0 1 0 .01 0', 'M10.8 7.700L6.3 16', 'M13.2 7.700l4.5 8.3', 'M7.5 18.500h9');
export const PlayIcon = drawn('M7 5v14l11-7z');
export const PauseIcon = drawn('M8 5v14', 'M16 5v14');
export const StopIcon = drawn('M12 3a9 9 0 1 0 .01 0', 'M9 9l6 6', 'M15 9l-6 6');
export const AgainIcon = drawn('M4 12a8 8 0 1 1 2.5 5.8', 'M4 19v-5h5');
export const SearchIcon = drawn('M10.5 4a6.5 6.5 0 1 0 .01 0', 'M15.5 15.500L20 20');
export const MoreIcon = drawn('M12 5.500v.01', 'M12 12v.01', 'M12 18.500v.01');
export const CopyIcon = drawn('M9 9h11v11H9z', 'M5 15H4V4h11v1');
export const DoneIcon = drawn('M5 12.500l4.5 4.500L19 7');
export const DownloadIcon = drawn('M12 4v11', 'M7 11l5 5 5-5', 'M4 20h16');
export const DownIcon = drawn('M12 5v14', 'M6 13l6 6 6-6');
export const LeftIcon = drawn('M15 5l-7 7 7 7');
export const RightIcon = drawn('M9 5l7 7-7 7');
export const FirstIcon = drawn('M17 5l-7 7 7 7', 'M6 5v14');
export const CrownIcon = drawn('M4 8l4 4 4-7 4 7 4-4-1.5 10h-13z');
export const PersonIcon = drawn('M12 4a4 4 0 1 0 .01 0', 'M5 20c.8-4 3.6-6 7-6s6.2 2 7 6');
export const WarnIcon = drawn('M12 4L2.5 20h19z', 'M12 10v4.5', 'M12 17.500v.01');
export const FilterIcon = drawn('M4 5h16l-6 7.500V19l-4-2v-4.500z');
export const ExitIcon = drawn('M10 4H5v16h5', 'M14 8l4 4-4 4', 'M18 12H9');
export const EmptyIcon = drawn('M4 14l3-9h10l3 9v5H4z', 'M4 14h5l1.5 2.500h3L15 14h5');
export const SunIcon = drawn('M12 8a4 4 0 1 0 .01 0', 'M12 2.500v2', 'M12 19.500v2', 'M2.5 12h2', 'M19.5 12h2', 'M5.3 5.300l1.4 1.4', 'M17.3 17.300l1.4 1.4', 'M5.3 18.700l1.4-1.4', 'M17.3 6.700l1.4-1.4');
export const MoonIcon = drawn('M20 14.500A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.500z');
export const SystemIcon = drawn('M3 5h18v11H3z', 'M9 20h6', 'M12 16v4');
export const GaugeIcon = drawn('M4 17a8.5 8.5 0 1 1 16 0', 'M12 15l4-5');
export const DrainIcon = drawn('M5 4h14l-5.5 7v7l-3 2v-9z', 'M3 3l18 18');
