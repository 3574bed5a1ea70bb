import type { Placeholder } from '../../template/templates.ts';
import { renderToolDefinitions } from '../toolDefinitions.ts';
import type { Domain, Turn } from './turn.ts';

/** One turn of a domain, to show what a prompt looks like where nothing real is at hand. */
export interface ExampleTurn {
  action: Turn['action'];
  currentState?: string;
  values: Readonly<Partial<Record<Placeholder, string>>>;
}

const calendar = {
  name: 'list_events',
  description: 'Lists the events of a calendar on one day.',
  parameters: {
    type: 'object',
    properties: { calendar: { type: 'string' }, day: { type: 'string', description: 'YYYY-MM-DD' } },
    required: ['calendar', 'day'],
  },
};
const search = {
  name: 'search',
  description: 'Searches the web and returns the first results.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};
const calendarCall = {
  kind: 'tool',
  name: 'list_events',
  arguments: { calendar: 'harbour', day: '2026-03-02' },
} as const;
const demonstration =
  'list_events {"calendar": "harbour", "day": "2026-03-01"}\n[{"title": "High tide", "at": "05:02"}]';

/** An example of every domain; of no real place, person or product. */
export const exampleTurns: Readonly<Record<Domain, ExampleTurn>> = {
  terminal: {
    action: { kind: 'keystrokes', keystrokes: [{ keystrokes: 'ls\n', duration: 0.5 }] },
    currentState: 'user@host:~$',
    values: {},
  },
  swe: { action: { kind: 'tool', name: 'run_shell_command', arguments: { command: 'ls' } }, values: {} },
  mcp: {
    action: calendarCall,
    values: { tool_definitions: renderToolDefinitions([calendar]), demonstrations: demonstration },
  },
  search: {
    action: { kind: 'tool', name: 'search', arguments: { query: 'tide table harbour' } },
    values: { tool_definitions: renderToolDefinitions([search]) },
  },
  os: { action: { kind: 'text', text: 'click(x=120, y=48)' }, currentState: 'Window "Files" (active)', values: {} },
  web: {
    action: { kind: 'text', text: 'click [12]' },
    currentState: 'https://harbour.example\n[12] link "Tide table"',
    values: {},
  },
  android: { action: { kind: 'text', text: 'tap("Alarm")' }, currentState: 'App: Clock\nbutton "Alarm"', values: {} },
};
