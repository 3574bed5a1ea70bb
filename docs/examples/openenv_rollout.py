"""Evaluates a scripted policy in a hybrid environment, over the client of OpenEnv.

    pip install openenv-core
    FORETELL_SERVICE_TOKEN=secret foretell serve --environment --hybrid --cwd FOLDER --port 8765
    python openenv_rollout.py http://127.0.0.1:8765/secret

The token stands behind the address, because the client sends no header. A trainer takes the place of `policy`: it is given
the observation and the tools in the form of the OpenAI API, and gives one call.
"""

import asyncio
import sys

from openenv.core.generic_client import GenericEnvClient

TASK = {
    "task": "Write the number of files below the folder into count.txt.",
    "reward": {
        "rules": [
            {"file": "count.txt", "is": {"matches": r"^\d+\n$"}},
            {"command": 'test "$(cat count.txt)" = "$(find . -type f ! -name count.txt | wc -l)"', "weight": 3},
        ]
    },
}

# The world is a real shell on a copy: the same policy meets a full disk and a wrong clock.
WORLDS = [{}, {"faults": {"diskBytes": 0}}, {"faults": {"clockOffsetSeconds": -86400}}]


def policy(turn: int) -> dict:
    """What the agent calls; a model would read the observations."""
    shell = lambda command: {"name": "run_shell_command", "arguments": {"command": command}}
    script = [
        shell("find . -type f ! -name count.txt | wc -l > count.txt"),
        shell("cat count.txt"),
        {"name": "finish", "arguments": {"summary": "counted"}},
    ]
    return script[turn]


async def episode(url: str, world: dict) -> tuple[dict, float]:
    async with GenericEnvClient(base_url=url) as env:
        result = await env.reset(**TASK, **world)
        for turn in range(3):
            result = await env.step(policy(turn))
            seen = result.observation
            print(f"{world or 'no faults'} turn {seen['turn']} ({seen['basis']}): {seen['text'].splitlines()[2:4]}")
        return world, result.reward


async def main(url: str) -> None:
    rewards = await asyncio.gather(*(episode(url, world) for world in WORLDS))
    for world, reward in rewards:
        print(f"reward {reward:.2f} in {world or 'a world without faults'}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
