import type { Level } from '../../src/core/facts/level.ts';
import type { RiskKind } from '../../src/core/facts/risk.ts';
import type { Facts } from '../../src/core/verdict/facts.ts';
import { judge } from '../../src/core/verdict/verdict.ts';
import { evidenceText, riskText } from '../../src/core/words/riskText.ts';

/** The risks of some facts with their words, as a prediction has them. */
export function judgedInWords(
  facts: Facts,
): { level: Level; kind: RiskKind; reason: string; evidence: readonly string[] }[] {
  return judge(facts).map((risk) => ({
    level: risk.level,
    kind: risk.fact.kind,
    reason: riskText(risk),
    evidence: risk.evidence.map(evidenceText),
  }));
}
